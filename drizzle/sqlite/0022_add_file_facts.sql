CREATE TABLE `file_facts` (
	`content` text NOT NULL,
	`reading` text NOT NULL,
	`version` integer NOT NULL,
	`facts` blob NOT NULL,
	`touched_at` integer NOT NULL,
	PRIMARY KEY(`content`, `reading`)
);
--> statement-breakpoint
CREATE INDEX `file_facts_touched` ON `file_facts` (`touched_at`);--> statement-breakpoint
CREATE TABLE `tensor_comparisons` (
	`pair` text PRIMARY KEY NOT NULL,
	`result` blob NOT NULL,
	`touched_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `tensor_comparisons_touched` ON `tensor_comparisons` (`touched_at`);