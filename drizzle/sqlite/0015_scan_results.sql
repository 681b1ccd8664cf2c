CREATE TABLE `scan_issues` (
	`repo_id` text NOT NULL,
	`ref` text NOT NULL,
	`path` text NOT NULL,
	`content` text NOT NULL,
	`status` text NOT NULL,
	`found_at` integer NOT NULL,
	PRIMARY KEY(`repo_id`, `ref`, `path`),
	FOREIGN KEY (`repo_id`) REFERENCES `repos`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `scan_issues_status` ON `scan_issues` (`status`,`found_at`);--> statement-breakpoint
CREATE TABLE `scan_refs` (
	`repo_id` text NOT NULL,
	`ref` text NOT NULL,
	`commit` text NOT NULL,
	`version` integer NOT NULL,
	`prune_seq` integer NOT NULL,
	`unsafe` integer NOT NULL,
	`suspicious` integer NOT NULL,
	`failed` integer NOT NULL,
	`missing` integer NOT NULL,
	`scanned_at` integer NOT NULL,
	PRIMARY KEY(`repo_id`, `ref`),
	FOREIGN KEY (`repo_id`) REFERENCES `repos`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `scan_results` (
	`content` text NOT NULL,
	`reading` text NOT NULL,
	`version` integer NOT NULL,
	`status` text NOT NULL,
	`checked` integer NOT NULL,
	`imports` text NOT NULL,
	`problems` text NOT NULL,
	`touched_at` integer NOT NULL,
	PRIMARY KEY(`content`, `reading`)
);
--> statement-breakpoint
CREATE INDEX `scan_results_touched` ON `scan_results` (`touched_at`);--> statement-breakpoint
CREATE TABLE `scan_uses` (
	`repo_id` text NOT NULL,
	`content` text NOT NULL,
	PRIMARY KEY(`repo_id`, `content`),
	FOREIGN KEY (`repo_id`) REFERENCES `repos`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `scan_uses_content` ON `scan_uses` (`content`);