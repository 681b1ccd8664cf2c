CREATE TABLE `attachment_uses` (
	`attachment_id` text NOT NULL,
	`event_id` text NOT NULL,
	`repo_id` text NOT NULL,
	PRIMARY KEY(`attachment_id`, `event_id`),
	FOREIGN KEY (`attachment_id`) REFERENCES `attachments`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`event_id`) REFERENCES `discussion_events`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `attachment_uses_event` ON `attachment_uses` (`event_id`);--> statement-breakpoint
CREATE TABLE `attachments` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`type` text NOT NULL,
	`size` integer NOT NULL,
	`created_at` integer NOT NULL,
	`unused_since` integer
);
--> statement-breakpoint
CREATE INDEX `attachments_user` ON `attachments` (`user_id`,`unused_since`);--> statement-breakpoint
CREATE INDEX `attachments_unused` ON `attachments` (`unused_since`);--> statement-breakpoint
ALTER TABLE `discussions` ADD `is_draft` integer DEFAULT false NOT NULL;