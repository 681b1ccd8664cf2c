CREATE TABLE `discussion_mentions` (
	`event_id` text NOT NULL,
	`user_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`read_at` integer,
	PRIMARY KEY(`event_id`, `user_id`),
	FOREIGN KEY (`event_id`) REFERENCES `discussion_events`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `discussion_mentions_user` ON `discussion_mentions` (`user_id`,`event_id`);--> statement-breakpoint
CREATE TABLE `discussion_reactions` (
	`event_id` text NOT NULL,
	`user_id` text NOT NULL,
	`reaction` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`event_id`, `user_id`, `reaction`),
	FOREIGN KEY (`event_id`) REFERENCES `discussion_events`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
ALTER TABLE `discussion_events` ADD `path` text;--> statement-breakpoint
ALTER TABLE `discussion_events` ADD `side` text;--> statement-breakpoint
ALTER TABLE `discussion_events` ADD `line` integer;--> statement-breakpoint
ALTER TABLE `discussion_events` ADD `file_oid` blob;--> statement-breakpoint
ALTER TABLE `discussion_events` ADD `excerpt` text;