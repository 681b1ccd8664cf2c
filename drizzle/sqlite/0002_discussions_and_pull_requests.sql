CREATE TABLE `discussion_counters` (
	`repo_id` text PRIMARY KEY NOT NULL,
	`last` integer NOT NULL,
	FOREIGN KEY (`repo_id`) REFERENCES `repos`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `discussion_events` (
	`id` text PRIMARY KEY NOT NULL,
	`discussion_id` text NOT NULL,
	`type` text NOT NULL,
	`author_id` text,
	`created_at` integer NOT NULL,
	`body` text,
	`edits` integer NOT NULL,
	`edited_at` integer,
	`edited_by` text,
	`hidden_at` integer,
	`before` text,
	`after` text,
	`commit_oid` blob,
	FOREIGN KEY (`discussion_id`) REFERENCES `discussions`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `discussion_events_thread` ON `discussion_events` (`discussion_id`,`id`);--> statement-breakpoint
CREATE TABLE `discussions` (
	`id` text PRIMARY KEY NOT NULL,
	`repo_id` text NOT NULL,
	`num` integer NOT NULL,
	`kind` text NOT NULL,
	`status` text NOT NULL,
	`title` text NOT NULL,
	`author_id` text,
	`comment_count` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`base_ref` text,
	`base_oid` blob,
	`merged_at` integer,
	`merge_oid` blob,
	`merged_base_oid` blob,
	`merged_head_oid` blob,
	FOREIGN KEY (`repo_id`) REFERENCES `repos`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `discussions_num` ON `discussions` (`repo_id`,`num`);