CREATE TABLE `finished_sign_ins` (
	`digest` text PRIMARY KEY NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `finished_sign_ins_expires` ON `finished_sign_ins` (`expires_at`);--> statement-breakpoint
CREATE TABLE `identities` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`provider` text NOT NULL,
	`subject` text NOT NULL,
	`name` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_used_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `identities_subject` ON `identities` (`provider`,`subject`);--> statement-breakpoint
CREATE UNIQUE INDEX `identities_user` ON `identities` (`user_id`,`provider`);--> statement-breakpoint
CREATE TABLE `links` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`digest` text NOT NULL,
	`user_id` text,
	`email` text,
	`invite` text,
	`created_by` text,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`used_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `links_digest` ON `links` (`digest`);--> statement-breakpoint
CREATE INDEX `links_user` ON `links` (`user_id`);--> statement-breakpoint
CREATE INDEX `links_expires` ON `links` (`expires_at`);--> statement-breakpoint
ALTER TABLE `sessions` ADD `identity_id` text;--> statement-breakpoint
ALTER TABLE `sessions` ADD `oidc_sid` text;--> statement-breakpoint
CREATE INDEX `sessions_identity` ON `sessions` (`identity_id`);--> statement-breakpoint
ALTER TABLE `users` ADD `admin_source` text;