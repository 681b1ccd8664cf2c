CREATE TABLE `collection_items` (
	`id` text PRIMARY KEY NOT NULL,
	`collection_id` text NOT NULL,
	`repo_id` text NOT NULL,
	`note` text,
	`position` integer NOT NULL,
	`added_at` integer NOT NULL,
	FOREIGN KEY (`collection_id`) REFERENCES `collections`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`repo_id`) REFERENCES `repos`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `collection_items_repo` ON `collection_items` (`collection_id`,`repo_id`);--> statement-breakpoint
CREATE INDEX `collection_items_of_repo` ON `collection_items` (`repo_id`);--> statement-breakpoint
CREATE TABLE `collections` (
	`id` text PRIMARY KEY NOT NULL,
	`namespace_id` text NOT NULL,
	`title` text NOT NULL,
	`description` text,
	`visibility` text NOT NULL,
	`theme` text,
	`position` integer NOT NULL,
	`created_by` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `collections_namespace` ON `collections` (`namespace_id`,`position`);--> statement-breakpoint
CREATE INDEX `collections_updated` ON `collections` (`updated_at`,`id`);--> statement-breakpoint
CREATE TABLE `repo_downloads` (
	`repo_id` text NOT NULL,
	`day` text NOT NULL,
	`downloads` integer NOT NULL,
	`bytes` integer NOT NULL,
	PRIMARY KEY(`repo_id`, `day`),
	FOREIGN KEY (`repo_id`) REFERENCES `repos`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `repo_downloads_day` ON `repo_downloads` (`day`);--> statement-breakpoint
CREATE TABLE `webhook_deliveries` (
	`id` text PRIMARY KEY NOT NULL,
	`webhook_id` text NOT NULL,
	`event` text NOT NULL,
	`subject` text NOT NULL,
	`status` text NOT NULL,
	`attempts` integer NOT NULL,
	`next_attempt_at` integer,
	`request` text,
	`response` text,
	`error` text,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`webhook_id`) REFERENCES `webhooks`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `webhook_deliveries_webhook` ON `webhook_deliveries` (`webhook_id`,`id`);--> statement-breakpoint
CREATE INDEX `webhook_deliveries_created` ON `webhook_deliveries` (`created_at`);--> statement-breakpoint
CREATE TABLE `webhook_watches` (
	`id` text PRIMARY KEY NOT NULL,
	`webhook_id` text NOT NULL,
	`namespace_id` text,
	`repo_id` text,
	FOREIGN KEY (`webhook_id`) REFERENCES `webhooks`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`namespace_id`) REFERENCES `namespaces`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`repo_id`) REFERENCES `repos`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `webhook_watches_webhook` ON `webhook_watches` (`webhook_id`);--> statement-breakpoint
CREATE INDEX `webhook_watches_namespace` ON `webhook_watches` (`namespace_id`);--> statement-breakpoint
CREATE INDEX `webhook_watches_repo` ON `webhook_watches` (`repo_id`);--> statement-breakpoint
CREATE TABLE `webhooks` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`url` text NOT NULL,
	`events` text NOT NULL,
	`secret` text,
	`secret_header` integer NOT NULL,
	`active` integer NOT NULL,
	`failing_since` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `webhooks_user` ON `webhooks` (`user_id`);--> statement-breakpoint
ALTER TABLE `namespaces` ADD `quota_bytes` integer;--> statement-breakpoint
ALTER TABLE `repos` ADD `disabled_at` integer;--> statement-breakpoint
ALTER TABLE `repos` ADD `disabled_reason` text;--> statement-breakpoint
ALTER TABLE `repos` ADD `downloads_30d` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `repos` ADD `downloads_total` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `repos` ADD `trending` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `repos_trending` ON `repos` (`type`,`trending`,`id`);