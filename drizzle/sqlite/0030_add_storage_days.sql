CREATE TABLE `storage_days` (
	`day` text PRIMARY KEY NOT NULL,
	`counted_at` integer NOT NULL,
	`lfs_bytes` integer NOT NULL,
	`git_bytes` integer NOT NULL,
	`chunk_bytes` integer NOT NULL,
	`upload_bytes` integer NOT NULL,
	`saved_bytes` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `storage_tops` (
	`kind` text NOT NULL,
	`rank` integer NOT NULL,
	`subject_id` text NOT NULL,
	`bytes` integer NOT NULL,
	PRIMARY KEY(`kind`, `rank`)
);
