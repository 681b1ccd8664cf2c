DROP INDEX "repo_tags_tag";--> statement-breakpoint
CREATE INDEX "repos_downloads" ON "repos" USING btree ("type","downloads_30d","id");--> statement-breakpoint
CREATE INDEX "repos_likes" ON "repos" USING btree ("type","likes","id");--> statement-breakpoint
CREATE INDEX "repos_created" ON "repos" USING btree ("type","created_at","id");--> statement-breakpoint
CREATE INDEX "repo_tags_tag" ON "repo_tags" USING btree ("tag","repo_id");