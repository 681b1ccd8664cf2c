CREATE TABLE `chunk_files` (
	`file_hash` text NOT NULL,
	`sha256` text NOT NULL,
	`size` integer NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`file_hash`, `sha256`)
);
--> statement-breakpoint
CREATE INDEX `chunk_files_sha256` ON `chunk_files` (`sha256`);--> statement-breakpoint
CREATE TABLE `chunk_pins` (
	`job_id` text NOT NULL,
	`xorb_hash` text NOT NULL,
	PRIMARY KEY(`job_id`, `xorb_hash`)
);
--> statement-breakpoint
CREATE INDEX `chunk_pins_xorb` ON `chunk_pins` (`xorb_hash`);--> statement-breakpoint
CREATE TABLE `chunk_rebuild_claims` (
	`rebuild_id` text NOT NULL,
	`repo_id` text NOT NULL,
	`user_id` text NOT NULL,
	PRIMARY KEY(`rebuild_id`, `repo_id`, `user_id`)
);
--> statement-breakpoint
CREATE TABLE `chunk_rebuilds` (
	`id` text PRIMARY KEY NOT NULL,
	`job_id` text NOT NULL,
	`shard_key` text NOT NULL,
	`terms_offset` integer NOT NULL,
	`terms` integer NOT NULL,
	`file_hash` text NOT NULL,
	`claimed_sha256` text,
	`size` integer NOT NULL,
	`active_key` text,
	`problem` text,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `chunk_rebuilds_active_key` ON `chunk_rebuilds` (`active_key`);--> statement-breakpoint
CREATE INDEX `chunk_rebuilds_job` ON `chunk_rebuilds` (`job_id`);--> statement-breakpoint
CREATE INDEX `chunk_rebuilds_sha256` ON `chunk_rebuilds` (`claimed_sha256`);--> statement-breakpoint
CREATE TABLE `chunk_xorb_uploads` (
	`xorb_hash` text NOT NULL,
	`user_id` text NOT NULL,
	PRIMARY KEY(`xorb_hash`, `user_id`)
);
--> statement-breakpoint
CREATE TABLE `chunk_xorbs` (
	`xorb_hash` text PRIMARY KEY NOT NULL,
	`key` text NOT NULL,
	`body_size` integer NOT NULL,
	`unpacked` integer NOT NULL,
	`n` integer NOT NULL,
	`created_at` integer NOT NULL,
	`last_used_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `chunk_xorbs_used` ON `chunk_xorbs` (`last_used_at`);