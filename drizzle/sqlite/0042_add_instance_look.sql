CREATE TABLE `instance_logos` (
	`id` text PRIMARY KEY NOT NULL,
	`type` text NOT NULL,
	`size` integer NOT NULL,
	`sha256` text NOT NULL,
	`corrupt_at` integer,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `instance_look` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text,
	`welcome` text,
	`announcement` text,
	`announcement_kind` text DEFAULT 'info' NOT NULL,
	`announcement_ends_at` integer,
	`updated_at` integer NOT NULL
);
