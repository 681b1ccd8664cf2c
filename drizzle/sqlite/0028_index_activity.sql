CREATE INDEX `discussions_author` ON `discussions` (`author_id`,`id`);--> statement-breakpoint
CREATE INDEX `git_ref_log_user` ON `git_ref_log` (`user_id`,`id`);--> statement-breakpoint
CREATE INDEX `repos_creator` ON `repos` (`created_by`,`id`);