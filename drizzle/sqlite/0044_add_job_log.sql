CREATE TABLE `job_log` (
	`job_id` text NOT NULL,
	`number` integer NOT NULL,
	`attempt` integer NOT NULL,
	`at` integer NOT NULL,
	`text` text NOT NULL,
	PRIMARY KEY(`job_id`, `number`),
	FOREIGN KEY (`job_id`) REFERENCES `jobs`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
ALTER TABLE `jobs` ADD `log_lines` integer DEFAULT 0 NOT NULL;