CREATE TABLE `repo_sizes` (
	`repo_id` text NOT NULL,
	`day` text NOT NULL,
	`bytes` integer NOT NULL,
	PRIMARY KEY(`repo_id`, `day`),
	FOREIGN KEY (`repo_id`) REFERENCES `repos`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
ALTER TABLE `repos` ADD `full_key` text DEFAULT '' NOT NULL;--> statement-breakpoint
UPDATE `repos` SET `full_key` = coalesce((SELECT `name_key` FROM `namespaces` WHERE `id` = `repos`.`namespace_id`), '') || '/' || `name_key`;--> statement-breakpoint
CREATE INDEX `repos_size` ON `repos` (`type`,`head_bytes`,`id`);--> statement-breakpoint
CREATE INDEX `repos_full` ON `repos` (`type`,`full_key`,`id`);