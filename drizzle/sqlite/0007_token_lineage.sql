CREATE TABLE `known_networks` (
	`user_id` text NOT NULL,
	`network` text NOT NULL,
	`last_at` integer NOT NULL,
	PRIMARY KEY(`user_id`, `network`)
);
--> statement-breakpoint
CREATE INDEX `known_networks_last` ON `known_networks` (`last_at`);--> statement-breakpoint
ALTER TABLE `device_logins` ADD `network` text;--> statement-breakpoint
ALTER TABLE `device_logins` ADD `token_id` text;--> statement-breakpoint
CREATE INDEX `device_logins_network` ON `device_logins` (`network`);--> statement-breakpoint
ALTER TABLE `tokens` ADD `parent_id` text;--> statement-breakpoint
CREATE INDEX `tokens_parent` ON `tokens` (`parent_id`);