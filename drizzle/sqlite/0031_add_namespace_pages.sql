CREATE TABLE `avatars` (
	`id` text PRIMARY KEY NOT NULL,
	`namespace_id` text NOT NULL,
	`type` text NOT NULL,
	`size` integer NOT NULL,
	`sha256` text NOT NULL,
	`corrupt_at` integer,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`namespace_id`) REFERENCES `namespaces`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `avatars_namespace` ON `avatars` (`namespace_id`);--> statement-breakpoint
CREATE TABLE `namespace_readmes` (
	`namespace_id` text PRIMARY KEY NOT NULL,
	`text` text NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`namespace_id`) REFERENCES `namespaces`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `pinned_repos` (
	`namespace_id` text NOT NULL,
	`repo_id` text NOT NULL,
	`place` integer NOT NULL,
	PRIMARY KEY(`namespace_id`, `repo_id`),
	FOREIGN KEY (`repo_id`) REFERENCES `repos`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `pinned_repos_repo` ON `pinned_repos` (`repo_id`);