CREATE TABLE `follows` (
	`follower_id` text NOT NULL,
	`namespace_id` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`follower_id`, `namespace_id`),
	FOREIGN KEY (`follower_id`) REFERENCES `namespaces`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`namespace_id`) REFERENCES `namespaces`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `follows_followers` ON `follows` (`namespace_id`,`created_at`,`follower_id`);--> statement-breakpoint
CREATE INDEX `follows_following` ON `follows` (`follower_id`,`created_at`,`namespace_id`);