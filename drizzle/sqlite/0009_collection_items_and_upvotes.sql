CREATE TABLE `collection_upvotes` (
	`collection_id` text NOT NULL,
	`user_id` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`collection_id`, `user_id`),
	FOREIGN KEY (`collection_id`) REFERENCES `collections`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `collection_upvotes_recent` ON `collection_upvotes` (`collection_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `__new_collection_items` (
	`id` text PRIMARY KEY NOT NULL,
	`collection_id` text NOT NULL,
	`repo_id` text,
	`item_collection_id` text,
	`note` text,
	`position` integer NOT NULL,
	`added_at` integer NOT NULL,
	FOREIGN KEY (`collection_id`) REFERENCES `collections`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`repo_id`) REFERENCES `repos`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`item_collection_id`) REFERENCES `collections`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
INSERT INTO `__new_collection_items`("id", "collection_id", "repo_id", "item_collection_id", "note", "position", "added_at") SELECT "id", "collection_id", "repo_id", NULL, "note", "position", "added_at" FROM `collection_items`;--> statement-breakpoint
DROP TABLE `collection_items`;--> statement-breakpoint
ALTER TABLE `__new_collection_items` RENAME TO `collection_items`;--> statement-breakpoint
CREATE UNIQUE INDEX `collection_items_repo` ON `collection_items` (`collection_id`,`repo_id`);--> statement-breakpoint
CREATE INDEX `collection_items_of_repo` ON `collection_items` (`repo_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `collection_items_collection` ON `collection_items` (`collection_id`,`item_collection_id`);--> statement-breakpoint
CREATE INDEX `collection_items_of_collection` ON `collection_items` (`item_collection_id`);--> statement-breakpoint
ALTER TABLE `collections` ADD `upvotes` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `collections_upvotes` ON `collections` (`upvotes`,`updated_at`,`id`);--> statement-breakpoint
CREATE INDEX `repo_tags_lower` ON `repo_tags` (lower("tag"),`repo_id`);