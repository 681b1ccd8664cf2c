CREATE TABLE `git_shallow` (
	`repo_id` text NOT NULL,
	`oid` blob NOT NULL,
	PRIMARY KEY(`repo_id`, `oid`)
);
--> statement-breakpoint
CREATE TABLE `lfs_absent` (
	`repo_id` text NOT NULL,
	`sha256` text NOT NULL,
	`size` integer NOT NULL,
	`since` integer NOT NULL,
	`pulling_until` integer,
	PRIMARY KEY(`repo_id`, `sha256`)
);
--> statement-breakpoint
CREATE INDEX `lfs_absent_sha256` ON `lfs_absent` (`sha256`);--> statement-breakpoint
CREATE TABLE `mirror_provenance` (
	`repo_id` text NOT NULL,
	`path` text NOT NULL,
	`sha256` text NOT NULL,
	`size` integer NOT NULL,
	`upstream` text NOT NULL,
	`upstream_repo` text NOT NULL,
	`commit` text NOT NULL,
	`fetched_at` integer NOT NULL,
	`job_id` text,
	`user_id` text,
	`verified` text NOT NULL,
	PRIMARY KEY(`repo_id`, `path`, `sha256`),
	FOREIGN KEY (`repo_id`) REFERENCES `repos`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `mirror_syncs` (
	`repo_id` text NOT NULL,
	`commit` text NOT NULL,
	`synced_at` integer NOT NULL,
	`job_id` text,
	PRIMARY KEY(`repo_id`, `commit`),
	FOREIGN KEY (`repo_id`) REFERENCES `repos`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `mirrors` (
	`repo_id` text PRIMARY KEY NOT NULL,
	`upstream` text NOT NULL,
	`upstream_repo` text NOT NULL,
	`upstream_key` text NOT NULL,
	`revision` text NOT NULL,
	`selection` text NOT NULL,
	`tracking` text NOT NULL,
	`schedule` text,
	`history` text NOT NULL,
	`fidelity` text NOT NULL,
	`state` text NOT NULL,
	`upstream_commit` text,
	`local_commit` text,
	`error` text,
	`read_by` text,
	`gone_since` integer,
	`last_sync_at` integer,
	`next_sync_at` integer,
	`created_by` text,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`repo_id`) REFERENCES `repos`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `mirrors_upstream` ON `mirrors` (`upstream`,`upstream_key`);--> statement-breakpoint
CREATE INDEX `mirrors_next_sync` ON `mirrors` (`next_sync_at`);--> statement-breakpoint
CREATE TABLE `pull_files` (
	`job_id` text NOT NULL,
	`path` text NOT NULL,
	`sha256` text NOT NULL,
	`size` integer NOT NULL,
	`done` integer NOT NULL,
	`status` text NOT NULL,
	`error` text,
	PRIMARY KEY(`job_id`, `path`)
);
--> statement-breakpoint
CREATE TABLE `pulls` (
	`job_id` text PRIMARY KEY NOT NULL,
	`repo_id` text,
	`parent_id` text,
	`note` text,
	`warnings` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `pulls_parent` ON `pulls` (`parent_id`);--> statement-breakpoint
CREATE TABLE `transfer_parts` (
	`repo_id` text NOT NULL,
	`sha256` text NOT NULL,
	`n` integer NOT NULL,
	`key` text NOT NULL,
	`size` integer NOT NULL,
	PRIMARY KEY(`repo_id`, `sha256`, `n`),
	FOREIGN KEY (`repo_id`) REFERENCES `repos`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `transfers` (
	`repo_id` text NOT NULL,
	`sha256` text NOT NULL,
	`id` text NOT NULL,
	`size` integer NOT NULL,
	`attempt` integer NOT NULL,
	`holder` text,
	`claimed_at` integer,
	`lease_until` integer,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`repo_id`, `sha256`),
	FOREIGN KEY (`repo_id`) REFERENCES `repos`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `transfers_lease` ON `transfers` (`lease_until`);--> statement-breakpoint
CREATE TABLE `upstream_states` (
	`upstream` text PRIMARY KEY NOT NULL,
	`healthy` integer,
	`checked_at` integer,
	`findings` text,
	`paused_until` integer
);
--> statement-breakpoint
CREATE TABLE `upstream_tokens` (
	`user_id` text NOT NULL,
	`upstream` text NOT NULL,
	`token` text NOT NULL,
	`saved_at` integer NOT NULL,
	`checked_at` integer,
	`valid` integer,
	PRIMARY KEY(`user_id`, `upstream`),
	FOREIGN KEY (`user_id`) REFERENCES `namespaces`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `upstreams` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`base_url` text NOT NULL,
	`enabled` integer NOT NULL,
	`viewer_url` text,
	`namespace_prefix` text NOT NULL,
	`token` text,
	`created_by` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE `namespaces` ADD `mirror_of` text;