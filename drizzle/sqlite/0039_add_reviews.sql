CREATE TABLE `review_requests` (
	`discussion_id` text NOT NULL,
	`user_id` text NOT NULL,
	`requested_by` text,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`discussion_id`, `user_id`),
	FOREIGN KEY (`discussion_id`) REFERENCES `discussions`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `review_requests_user` ON `review_requests` (`user_id`,`created_at`);--> statement-breakpoint
ALTER TABLE `discussion_events` ADD `verdict` text;--> statement-breakpoint
ALTER TABLE `discussion_events` ADD `review_id` text;--> statement-breakpoint
CREATE INDEX `discussion_events_reviews` ON `discussion_events` (`discussion_id`,`author_id`,`id`) WHERE "discussion_events"."verdict" is not null;