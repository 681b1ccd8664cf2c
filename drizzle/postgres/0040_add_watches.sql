CREATE TABLE "repo_watches" (
	"repo_id" text COLLATE "C" NOT NULL,
	"user_id" text COLLATE "C" NOT NULL,
	"level" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "repo_watches_repo_id_user_id_pk" PRIMARY KEY("repo_id","user_id")
);
--> statement-breakpoint
ALTER TABLE "repo_watches" ADD CONSTRAINT "repo_watches_repo_id_repos_id_fk" FOREIGN KEY ("repo_id") REFERENCES "public"."repos"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "repo_watches_repo" ON "repo_watches" USING btree ("repo_id","created_at");--> statement-breakpoint
CREATE INDEX "repo_watches_user" ON "repo_watches" USING btree ("user_id","created_at","repo_id");--> statement-breakpoint
CREATE INDEX "repos_namespace_updated" ON "repos" USING btree ("namespace_id","updated_at");