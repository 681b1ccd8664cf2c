CREATE INDEX "discussions_author" ON "discussions" USING btree ("author_id","id");--> statement-breakpoint
CREATE INDEX "git_ref_log_user" ON "git_ref_log" USING btree ("user_id","id");--> statement-breakpoint
CREATE INDEX "repos_creator" ON "repos" USING btree ("created_by","id");