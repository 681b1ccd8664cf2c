CREATE TABLE `blob_faults` (
	`key` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`subject` text NOT NULL,
	`repo_id` text,
	`message` text NOT NULL,
	`found_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `blob_scrubs` (
	`kind` text PRIMARY KEY NOT NULL,
	`after` text NOT NULL,
	`round_started_at` integer NOT NULL,
	`read_bytes` integer NOT NULL,
	`finished_at` integer
);
--> statement-breakpoint
CREATE TABLE `gc_holds` (
	`id` text PRIMARY KEY NOT NULL,
	`reason` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE `attachments` ADD `sha256` text;--> statement-breakpoint
ALTER TABLE `attachments` ADD `corrupt_at` integer;--> statement-breakpoint
ALTER TABLE `git_packs` ADD `corrupt_at` integer;