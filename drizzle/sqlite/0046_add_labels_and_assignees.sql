CREATE TABLE `discussion_assignees` (
	`discussion_id` text NOT NULL,
	`user_id` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`discussion_id`, `user_id`),
	FOREIGN KEY (`discussion_id`) REFERENCES `discussions`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `discussion_assignees_user` ON `discussion_assignees` (`user_id`,`discussion_id`);--> statement-breakpoint
CREATE TABLE `discussion_label_uses` (
	`discussion_id` text NOT NULL,
	`label_id` text NOT NULL,
	PRIMARY KEY(`discussion_id`, `label_id`),
	FOREIGN KEY (`discussion_id`) REFERENCES `discussions`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`label_id`) REFERENCES `discussion_labels`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `discussion_label_uses_label` ON `discussion_label_uses` (`label_id`,`discussion_id`);--> statement-breakpoint
CREATE TABLE `discussion_labels` (
	`id` text PRIMARY KEY NOT NULL,
	`repo_id` text NOT NULL,
	`name` text NOT NULL,
	`name_key` text NOT NULL,
	`color` text NOT NULL,
	`description` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`repo_id`) REFERENCES `repos`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `discussion_labels_name` ON `discussion_labels` (`repo_id`,`name_key`);--> statement-breakpoint
ALTER TABLE `discussion_events` ADD `change` text;