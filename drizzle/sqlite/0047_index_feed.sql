CREATE INDEX `discussion_events_author` ON `discussion_events` (`author_id`,`id`);--> statement-breakpoint
CREATE INDEX `discussions_updated` ON `discussions` (`repo_id`,`updated_at`);