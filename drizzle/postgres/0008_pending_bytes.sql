ALTER TABLE "chunk_xorb_uploads" ADD COLUMN "repo_id" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "chunk_xorb_uploads" ADD COLUMN "named_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "chunk_xorb_uploads_user" ON "chunk_xorb_uploads" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "chunk_xorb_uploads_repo" ON "chunk_xorb_uploads" USING btree ("repo_id");--> statement-breakpoint
CREATE INDEX "lfs_grants_user" ON "lfs_grants" USING btree ("user_id","expires_at");--> statement-breakpoint
CREATE INDEX "uploads_user" ON "uploads" USING btree ("user_id","status");