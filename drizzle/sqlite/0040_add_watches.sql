CREATE TABLE `repo_watches` (
	`repo_id` text NOT NULL,
	`user_id` text NOT NULL,
	`level` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`repo_id`, `user_id`),
	FOREIGN KEY (`repo_id`) REFERENCES `repos`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `repo_watches_repo` ON `repo_watches` (`repo_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `repo_watches_user` ON `repo_watches` (`user_id`,`created_at`,`repo_id`);--> statement-breakpoint
CREATE INDEX `repos_namespace_updated` ON `repos` (`namespace_id`,`updated_at`);