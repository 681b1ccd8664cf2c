CREATE TABLE `audit_stream` (
	`id` text PRIMARY KEY NOT NULL,
	`revision` text NOT NULL,
	`url` text NOT NULL,
	`token` text,
	`enabled` integer NOT NULL,
	`sent_seq` integer NOT NULL,
	`sent_at` integer,
	`lost` integer NOT NULL,
	`failures` integer NOT NULL,
	`failing_since` integer,
	`next_attempt_at` integer,
	`error` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
