ALTER TABLE `discussion_events` ADD `thread_id` text;--> statement-breakpoint
ALTER TABLE `discussion_events` ADD `resolved_at` integer;