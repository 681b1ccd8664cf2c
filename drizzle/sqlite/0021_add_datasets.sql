CREATE TABLE `dataset_answers` (
	`repo_id` text NOT NULL,
	`config` text NOT NULL,
	`split` text NOT NULL,
	`kind` text NOT NULL,
	`commit` text NOT NULL,
	`body` blob NOT NULL,
	PRIMARY KEY(`repo_id`, `config`, `split`, `kind`),
	FOREIGN KEY (`repo_id`) REFERENCES `repos`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `dataset_configs` (
	`repo_id` text NOT NULL,
	`name` text NOT NULL,
	`position` integer NOT NULL,
	`is_default` integer NOT NULL,
	`builder` text,
	`is_exact` integer NOT NULL,
	`status` text NOT NULL,
	`features` text NOT NULL,
	`warnings` text NOT NULL,
	`problem` text,
	`original_bytes` integer NOT NULL,
	PRIMARY KEY(`repo_id`, `name`),
	FOREIGN KEY (`repo_id`) REFERENCES `repos`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `dataset_files` (
	`repo_id` text NOT NULL,
	`config` text NOT NULL,
	`split` text NOT NULL,
	`position` integer NOT NULL,
	`path` text NOT NULL,
	`sha256` text NOT NULL,
	`size` integer NOT NULL,
	`rows` integer NOT NULL,
	PRIMARY KEY(`repo_id`, `config`, `split`, `position`),
	FOREIGN KEY (`repo_id`) REFERENCES `repos`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `dataset_splits` (
	`repo_id` text NOT NULL,
	`config` text NOT NULL,
	`name` text NOT NULL,
	`position` integer NOT NULL,
	`status` text NOT NULL,
	`is_partial` integer NOT NULL,
	`rows` integer,
	`estimated_rows` integer,
	`parquet_bytes` integer,
	`memory_bytes` integer,
	`problem` text,
	PRIMARY KEY(`repo_id`, `config`, `name`),
	FOREIGN KEY (`repo_id`) REFERENCES `repos`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `datasets` (
	`repo_id` text PRIMARY KEY NOT NULL,
	`commit` text NOT NULL,
	`version` integer NOT NULL,
	`status` text NOT NULL,
	`inputs` text NOT NULL,
	`converted_commit` text,
	`export_commit` text,
	`job_id` text,
	`problem` text,
	`original_bytes` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`repo_id`) REFERENCES `repos`(`id`) ON UPDATE no action ON DELETE cascade
);
