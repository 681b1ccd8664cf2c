CREATE TABLE "repo_sizes" (
	"repo_id" text COLLATE "C" NOT NULL,
	"day" text COLLATE "C" NOT NULL,
	"bytes" bigint NOT NULL,
	CONSTRAINT "repo_sizes_repo_id_day_pk" PRIMARY KEY("repo_id","day")
);
--> statement-breakpoint
ALTER TABLE "repos" ADD COLUMN "full_key" text COLLATE "C" DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "repo_sizes" ADD CONSTRAINT "repo_sizes_repo_id_repos_id_fk" FOREIGN KEY ("repo_id") REFERENCES "public"."repos"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
UPDATE "repos" SET "full_key" = coalesce((SELECT "name_key" FROM "namespaces" WHERE "id" = "repos"."namespace_id"), '') || '/' || "name_key";--> statement-breakpoint
CREATE INDEX "repos_size" ON "repos" USING btree ("type","head_bytes","id");--> statement-breakpoint
CREATE INDEX "repos_full" ON "repos" USING btree ("type","full_key","id");