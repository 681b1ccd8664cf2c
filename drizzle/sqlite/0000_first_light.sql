CREATE TABLE `access_requests` (
	`id` text PRIMARY KEY NOT NULL,
	`repo_id` text NOT NULL,
	`user_id` text NOT NULL,
	`status` text NOT NULL,
	`message` text,
	`fields` text,
	`reason` text,
	`requested_at` integer NOT NULL,
	`decided_at` integer,
	`decided_by` text,
	FOREIGN KEY (`repo_id`) REFERENCES `repos`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `access_requests_repo_user` ON `access_requests` (`repo_id`,`user_id`);--> statement-breakpoint
CREATE TABLE `audit` (
	`id` text PRIMARY KEY NOT NULL,
	`at` integer NOT NULL,
	`request_id` text,
	`actor_id` text,
	`auth_kind` text NOT NULL,
	`token_id` text,
	`ip` text,
	`action` text NOT NULL,
	`target_type` text NOT NULL,
	`target_id` text NOT NULL,
	`target_name` text NOT NULL,
	`before` text,
	`after` text,
	`outcome` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `audit_at` ON `audit` (`at`);--> statement-breakpoint
CREATE INDEX `audit_target` ON `audit` (`target_id`);--> statement-breakpoint
CREATE TABLE `blob_deletions` (
	`key` text PRIMARY KEY NOT NULL,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `blob_deletions_at` ON `blob_deletions` (`at`);--> statement-breakpoint
CREATE TABLE `collaborators` (
	`repo_id` text NOT NULL,
	`user_id` text NOT NULL,
	`role` text NOT NULL,
	PRIMARY KEY(`repo_id`, `user_id`),
	FOREIGN KEY (`repo_id`) REFERENCES `repos`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `collaborators_user` ON `collaborators` (`user_id`);--> statement-breakpoint
CREATE TABLE `device_logins` (
	`id` text PRIMARY KEY NOT NULL,
	`device_digest` text NOT NULL,
	`user_code` text NOT NULL,
	`client_id` text NOT NULL,
	`client_name` text NOT NULL,
	`ip` text NOT NULL,
	`status` text NOT NULL,
	`user_id` text,
	`scopes` text,
	`token_expires_at` integer,
	`interval_s` integer NOT NULL,
	`polled_at` integer,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `device_logins_digest` ON `device_logins` (`device_digest`);--> statement-breakpoint
CREATE UNIQUE INDEX `device_logins_user_code` ON `device_logins` (`user_code`);--> statement-breakpoint
CREATE TABLE `git_chains` (
	`repo_id` text NOT NULL,
	`id` integer NOT NULL,
	`owner_ref` text NOT NULL,
	`parent_chain` integer,
	`parent_pos` integer,
	`tip_pos` integer NOT NULL,
	PRIMARY KEY(`repo_id`, `id`)
);
--> statement-breakpoint
CREATE TABLE `git_changes` (
	`repo_id` text NOT NULL,
	`dir_id` text NOT NULL,
	`name` text NOT NULL,
	`chain` integer NOT NULL,
	`pos` integer NOT NULL,
	`commit_oid` blob NOT NULL,
	`kind` text NOT NULL,
	PRIMARY KEY(`repo_id`, `dir_id`, `name`, `chain`, `pos`)
);
--> statement-breakpoint
CREATE TABLE `git_commits` (
	`repo_id` text NOT NULL,
	`oid` blob NOT NULL,
	`chain` integer NOT NULL,
	`pos` integer NOT NULL,
	`parents` blob NOT NULL,
	`tree` blob NOT NULL,
	`author_name` text NOT NULL,
	`author_email` text NOT NULL,
	`author_time` integer NOT NULL,
	`author_tz` integer NOT NULL,
	`committer_name` text NOT NULL,
	`committer_email` text NOT NULL,
	`committer_time` integer NOT NULL,
	`committer_tz` integer NOT NULL,
	`subject` text NOT NULL,
	`body` text NOT NULL,
	`user_id` text,
	PRIMARY KEY(`repo_id`, `oid`)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `git_commits_chain` ON `git_commits` (`repo_id`,`chain`,`pos`);--> statement-breakpoint
CREATE TABLE `git_dirs` (
	`id` text PRIMARY KEY NOT NULL,
	`repo_id` text NOT NULL,
	`path` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `git_dirs_path` ON `git_dirs` (`repo_id`,`path`);--> statement-breakpoint
CREATE TABLE `git_packs` (
	`id` text PRIMARY KEY NOT NULL,
	`repo_id` text NOT NULL,
	`state` text NOT NULL,
	`source` text NOT NULL,
	`sha1` text NOT NULL,
	`objects` integer NOT NULL,
	`pack_bytes` integer NOT NULL,
	`idx_bytes` integer NOT NULL,
	`created_at` integer NOT NULL,
	`retired_at` integer
);
--> statement-breakpoint
CREATE INDEX `git_packs_repo_state` ON `git_packs` (`repo_id`,`state`);--> statement-breakpoint
CREATE INDEX `git_packs_state` ON `git_packs` (`state`);--> statement-breakpoint
CREATE TABLE `git_ref_log` (
	`id` text PRIMARY KEY NOT NULL,
	`repo_id` text NOT NULL,
	`name` text NOT NULL,
	`old_oid` blob,
	`new_oid` blob,
	`user_id` text,
	`via` text NOT NULL,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `git_ref_log_repo` ON `git_ref_log` (`repo_id`,`at`);--> statement-breakpoint
CREATE TABLE `git_refs` (
	`repo_id` text NOT NULL,
	`name` text NOT NULL,
	`oid` blob NOT NULL,
	`peeled_oid` blob,
	`updated_at` integer NOT NULL,
	`updated_by` text,
	PRIMARY KEY(`repo_id`, `name`)
);
--> statement-breakpoint
CREATE TABLE `job_schedules` (
	`kind` text PRIMARY KEY NOT NULL,
	`cron` text NOT NULL,
	`next_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `jobs` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`status` text NOT NULL,
	`title` text NOT NULL,
	`repo_id` text,
	`created_by` text,
	`input` text NOT NULL,
	`result` text,
	`problem` text,
	`dedup_key` text,
	`active_key` text,
	`attempt` integer NOT NULL,
	`max_attempts` integer NOT NULL,
	`run_after` integer NOT NULL,
	`lease_until` integer,
	`worker` text,
	`cancel_requested` integer NOT NULL,
	`progress_done` integer NOT NULL,
	`progress_total` integer,
	`progress_unit` text NOT NULL,
	`created_at` integer NOT NULL,
	`started_at` integer,
	`finished_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `jobs_active_key` ON `jobs` (`active_key`);--> statement-breakpoint
CREATE INDEX `jobs_queue` ON `jobs` (`status`,`run_after`);--> statement-breakpoint
CREATE INDEX `jobs_creator` ON `jobs` (`created_by`);--> statement-breakpoint
CREATE INDEX `jobs_repo` ON `jobs` (`repo_id`);--> statement-breakpoint
CREATE TABLE `lfs_grants` (
	`repo_id` text NOT NULL,
	`sha256` text NOT NULL,
	`user_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	PRIMARY KEY(`repo_id`, `sha256`, `user_id`)
);
--> statement-breakpoint
CREATE INDEX `lfs_grants_sha256` ON `lfs_grants` (`sha256`,`user_id`);--> statement-breakpoint
CREATE TABLE `lfs_links` (
	`repo_id` text NOT NULL,
	`sha256` text NOT NULL,
	`added_at` integer NOT NULL,
	PRIMARY KEY(`repo_id`, `sha256`)
);
--> statement-breakpoint
CREATE INDEX `lfs_links_sha256` ON `lfs_links` (`sha256`);--> statement-breakpoint
CREATE TABLE `lfs_objects` (
	`sha256` text PRIMARY KEY NOT NULL,
	`key` text NOT NULL,
	`size` integer NOT NULL,
	`created_at` integer NOT NULL,
	`touched_at` integer NOT NULL,
	`unreferenced_since` integer,
	`corrupt_at` integer
);
--> statement-breakpoint
CREATE INDEX `lfs_objects_unreferenced` ON `lfs_objects` (`unreferenced_since`);--> statement-breakpoint
CREATE TABLE `likes` (
	`repo_id` text NOT NULL,
	`user_id` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`repo_id`, `user_id`),
	FOREIGN KEY (`repo_id`) REFERENCES `repos`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `likes_user` ON `likes` (`user_id`);--> statement-breakpoint
CREATE TABLE `members` (
	`org_id` text NOT NULL,
	`user_id` text NOT NULL,
	`role` text NOT NULL,
	`source` text NOT NULL,
	`joined_at` integer NOT NULL,
	PRIMARY KEY(`org_id`, `user_id`),
	FOREIGN KEY (`org_id`) REFERENCES `namespaces`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `members_user` ON `members` (`user_id`);--> statement-breakpoint
CREATE TABLE `namespaces` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`name_key` text NOT NULL,
	`kind` text NOT NULL,
	`display_name` text NOT NULL,
	`bio` text,
	`website` text,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `namespaces_name_key` ON `namespaces` (`name_key`);--> statement-breakpoint
CREATE TABLE `repo_redirects` (
	`address` text PRIMARY KEY NOT NULL,
	`repo_id` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`repo_id`) REFERENCES `repos`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `repo_tags` (
	`repo_id` text NOT NULL,
	`tag` text NOT NULL,
	PRIMARY KEY(`repo_id`, `tag`),
	FOREIGN KEY (`repo_id`) REFERENCES `repos`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `repo_tags_tag` ON `repo_tags` (`tag`);--> statement-breakpoint
CREATE TABLE `repos` (
	`id` text PRIMARY KEY NOT NULL,
	`type` text NOT NULL,
	`namespace_id` text NOT NULL,
	`name` text NOT NULL,
	`name_key` text NOT NULL,
	`address_key` text,
	`visibility` text NOT NULL,
	`gated` text,
	`description` text,
	`default_branch` text NOT NULL,
	`discussions_enabled` integer NOT NULL,
	`created_by` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`deleted_at` integer,
	`purging_at` integer,
	`ref_seq` integer NOT NULL,
	`prune_seq` integer NOT NULL,
	`indexed_seq` integer NOT NULL,
	`lfs_marked_seq` integer NOT NULL,
	`git_bytes` integer NOT NULL,
	`head_bytes` integer NOT NULL,
	`head_files` integer NOT NULL,
	`card` text,
	`task` text,
	`library` text,
	`licence` text,
	`likes` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `repos_address_key` ON `repos` (`address_key`);--> statement-breakpoint
CREATE INDEX `repos_updated` ON `repos` (`type`,`updated_at`,`id`);--> statement-breakpoint
CREATE INDEX `repos_name` ON `repos` (`namespace_id`,`name_key`);--> statement-breakpoint
CREATE TABLE `sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`digest` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_seen_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`ip` text NOT NULL,
	`user_agent` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `sessions_digest` ON `sessions` (`digest`);--> statement-breakpoint
CREATE INDEX `sessions_user` ON `sessions` (`user_id`);--> statement-breakpoint
CREATE TABLE `throttles` (
	`key` text PRIMARY KEY NOT NULL,
	`failures` integer NOT NULL,
	`window_start` integer NOT NULL,
	`locked_until` integer,
	`locks` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `tokens` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`name` text NOT NULL,
	`digest` text NOT NULL,
	`prefix` text NOT NULL,
	`scopes` text NOT NULL,
	`fence` text,
	`created_at` integer NOT NULL,
	`last_used_at` integer,
	`expires_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `tokens_digest` ON `tokens` (`digest`);--> statement-breakpoint
CREATE UNIQUE INDEX `tokens_user_name` ON `tokens` (`user_id`,`name`);--> statement-breakpoint
CREATE TABLE `upload_parts` (
	`upload_id` text NOT NULL,
	`n` integer NOT NULL,
	`key` text NOT NULL,
	`etag` text NOT NULL,
	`size` integer NOT NULL,
	PRIMARY KEY(`upload_id`, `n`),
	FOREIGN KEY (`upload_id`) REFERENCES `uploads`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `uploads` (
	`id` text PRIMARY KEY NOT NULL,
	`repo_id` text NOT NULL,
	`user_id` text NOT NULL,
	`sha256` text NOT NULL,
	`size` integer NOT NULL,
	`path` text,
	`status` text NOT NULL,
	`store_upload_id` text,
	`part_size` integer NOT NULL,
	`attempt` integer NOT NULL,
	`lease_until` integer,
	`job_id` text,
	`problem` text,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `uploads_repo_user` ON `uploads` (`repo_id`,`user_id`,`sha256`);--> statement-breakpoint
CREATE INDEX `uploads_expiry` ON `uploads` (`status`,`expires_at`);--> statement-breakpoint
CREATE TABLE `users` (
	`id` text PRIMARY KEY NOT NULL,
	`password_hash` text,
	`email` text,
	`email_key` text,
	`email_verified` integer NOT NULL,
	`pending_email` text,
	`is_admin` integer NOT NULL,
	`disabled` integer NOT NULL,
	`created_at` integer NOT NULL,
	`last_seen_at` integer,
	FOREIGN KEY (`id`) REFERENCES `namespaces`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_email_key` ON `users` (`email_key`);