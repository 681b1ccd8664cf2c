DROP INDEX `repo_tags_tag`;--> statement-breakpoint
CREATE INDEX `repo_tags_tag` ON `repo_tags` (`tag`,`repo_id`);--> statement-breakpoint
CREATE INDEX `repos_downloads` ON `repos` (`type`,`downloads_30d`,`id`);--> statement-breakpoint
CREATE INDEX `repos_likes` ON `repos` (`type`,`likes`,`id`);--> statement-breakpoint
CREATE INDEX `repos_created` ON `repos` (`type`,`created_at`,`id`);