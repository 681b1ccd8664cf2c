CREATE TABLE `upstream_looks` (
	`key` text PRIMARY KEY NOT NULL,
	`holder` text,
	`until` integer NOT NULL,
	`problem` text
);
--> statement-breakpoint
CREATE INDEX `upstream_looks_until` ON `upstream_looks` (`until`);--> statement-breakpoint
ALTER TABLE `transfers` ADD `wanted_until` integer;--> statement-breakpoint
ALTER TABLE `transfers` ADD `proven` integer;