CREATE TABLE `built_blobs` (
	`repo_id` text NOT NULL,
	`sha256` text NOT NULL,
	`size` integer NOT NULL,
	`body` blob,
	`git_oid` text,
	PRIMARY KEY(`repo_id`, `sha256`),
	FOREIGN KEY (`repo_id`) REFERENCES `repos`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `ollama_keys` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`name` text NOT NULL,
	`public_key` text NOT NULL,
	`fingerprint` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_used_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `ollama_keys_fingerprint` ON `ollama_keys` (`fingerprint`);--> statement-breakpoint
CREATE INDEX `ollama_keys_user` ON `ollama_keys` (`user_id`);--> statement-breakpoint
CREATE TABLE `ollama_nonces` (
	`digest` text PRIMARY KEY NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `ollama_nonces_expires` ON `ollama_nonces` (`expires_at`);