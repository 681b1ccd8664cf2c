CREATE TABLE `branch_rules` (
	`id` text PRIMARY KEY NOT NULL,
	`repo_id` text NOT NULL,
	`pattern` text NOT NULL,
	`require_pull_request` integer NOT NULL,
	`required_approvals` integer NOT NULL,
	`allow_force_push` integer NOT NULL,
	`allow_deletion` integer NOT NULL,
	`include_admins` integer NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`repo_id`) REFERENCES `repos`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `branch_rules_pattern` ON `branch_rules` (`repo_id`,`pattern`);