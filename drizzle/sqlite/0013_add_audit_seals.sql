CREATE TABLE `audit_seals` (
	`seq` integer PRIMARY KEY NOT NULL,
	`audit_id` text NOT NULL,
	`hash` text NOT NULL,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `audit_seals_row` ON `audit_seals` (`audit_id`);