ALTER TABLE `chunk_xorb_uploads` ADD `repo_id` text;--> statement-breakpoint
ALTER TABLE `chunk_xorb_uploads` ADD `named_at` integer;--> statement-breakpoint
CREATE INDEX `chunk_xorb_uploads_user` ON `chunk_xorb_uploads` (`user_id`);--> statement-breakpoint
CREATE INDEX `chunk_xorb_uploads_repo` ON `chunk_xorb_uploads` (`repo_id`);--> statement-breakpoint
CREATE INDEX `lfs_grants_user` ON `lfs_grants` (`user_id`,`expires_at`);--> statement-breakpoint
CREATE INDEX `uploads_user` ON `uploads` (`user_id`,`status`);