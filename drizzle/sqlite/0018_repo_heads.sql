CREATE TABLE `repo_dependencies` (
	`repo_id` text NOT NULL,
	`kind` text NOT NULL,
	`type` text NOT NULL,
	`target` text NOT NULL,
	`target_key` text NOT NULL,
	`revision` text,
	`relation` text,
	`path` text NOT NULL,
	PRIMARY KEY(`repo_id`, `kind`, `target_key`),
	FOREIGN KEY (`repo_id`) REFERENCES `repos`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `repo_dependencies_target` ON `repo_dependencies` (`type`,`target_key`,`relation`);
--> statement-breakpoint
CREATE TABLE `repo_facets` (
	`repo_id` text NOT NULL,
	`field` text NOT NULL,
	`value` text NOT NULL,
	PRIMARY KEY(`repo_id`, `field`, `value`),
	FOREIGN KEY (`repo_id`) REFERENCES `repos`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `repo_heads` (
	`repo_id` text PRIMARY KEY NOT NULL,
	`type` text NOT NULL,
	`bytes` integer NOT NULL,
	`files` integer NOT NULL,
	`task` text,
	`library` text,
	`licence` text,
	`parameters` integer DEFAULT -1 NOT NULL,
	`context_length` integer,
	`rows` integer,
	`index_status` text NOT NULL,
	`index_version` integer NOT NULL,
	`indexed_commit` text,
	`papers` text,
	`card` text,
	`findings` text,
	FOREIGN KEY (`repo_id`) REFERENCES `repos`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `repo_heads_version` ON `repo_heads` (`index_version`,`repo_id`);
--> statement-breakpoint
INSERT INTO `repo_heads` (`repo_id`, `type`, `bytes`, `files`, `task`, `library`, `licence`, `index_status`, `index_version`, `card`) SELECT `id`, `type`, `head_bytes`, `head_files`, `task`, `library`, `licence`, 'pending', 0, `card` FROM `repos`;
--> statement-breakpoint
INSERT INTO `repo_facets` (`repo_id`, `field`, `value`) SELECT `id`, 'task', `task` FROM `repos` WHERE `task` IS NOT NULL;
--> statement-breakpoint
INSERT INTO `repo_facets` (`repo_id`, `field`, `value`) SELECT `id`, 'library', `library` FROM `repos` WHERE `library` IS NOT NULL;
--> statement-breakpoint
INSERT INTO `repo_facets` (`repo_id`, `field`, `value`) SELECT `id`, 'licence', `licence` FROM `repos` WHERE `licence` IS NOT NULL;
--> statement-breakpoint
DROP INDEX `repo_tags_tag`;
--> statement-breakpoint
DROP INDEX `repo_tags_lower`;
--> statement-breakpoint
DROP INDEX `repos_updated`;
--> statement-breakpoint
DROP INDEX `repos_trending`;
--> statement-breakpoint
DROP INDEX `repos_downloads`;
--> statement-breakpoint
DROP INDEX `repos_likes`;
--> statement-breakpoint
DROP INDEX `repos_created`;
--> statement-breakpoint
DROP INDEX `repos_size`;
--> statement-breakpoint
DROP INDEX `repos_full`;
--> statement-breakpoint
ALTER TABLE `repos` DROP COLUMN `head_bytes`;
--> statement-breakpoint
ALTER TABLE `repos` DROP COLUMN `head_files`;
--> statement-breakpoint
ALTER TABLE `repos` DROP COLUMN `card`;
--> statement-breakpoint
ALTER TABLE `repos` DROP COLUMN `task`;
--> statement-breakpoint
ALTER TABLE `repos` DROP COLUMN `library`;
--> statement-breakpoint
ALTER TABLE `repos` DROP COLUMN `licence`;
--> statement-breakpoint
ALTER TABLE `repos` ADD `changed` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
CREATE INDEX `repos_changed` ON `repos` (`changed`);