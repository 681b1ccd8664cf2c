CREATE TABLE "repo_dependencies" (
	"repo_id" text COLLATE "C" NOT NULL,
	"kind" text NOT NULL,
	"type" text NOT NULL,
	"target" text COLLATE "C" NOT NULL,
	"target_key" text COLLATE "C" NOT NULL,
	"revision" text COLLATE "C",
	"relation" text,
	"path" text COLLATE "C" NOT NULL,
	CONSTRAINT "repo_dependencies_repo_id_kind_target_key_pk" PRIMARY KEY("repo_id","kind","target_key")
);
--> statement-breakpoint
CREATE TABLE "repo_facets" (
	"repo_id" text COLLATE "C" NOT NULL,
	"field" text NOT NULL,
	"value" text COLLATE "C" NOT NULL,
	CONSTRAINT "repo_facets_repo_id_field_value_pk" PRIMARY KEY("repo_id","field","value")
);
--> statement-breakpoint
CREATE TABLE "repo_heads" (
	"repo_id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"type" text NOT NULL,
	"bytes" bigint NOT NULL,
	"files" integer NOT NULL,
	"task" text COLLATE "C",
	"library" text COLLATE "C",
	"licence" text COLLATE "C",
	"parameters" bigint DEFAULT -1 NOT NULL,
	"context_length" bigint,
	"rows" bigint,
	"index_status" text NOT NULL,
	"index_version" integer NOT NULL,
	"indexed_commit" text COLLATE "C",
	"papers" jsonb,
	"card" jsonb,
	"findings" jsonb
);
--> statement-breakpoint
ALTER TABLE "repo_dependencies" ADD CONSTRAINT "repo_dependencies_repo_id_repos_id_fk" FOREIGN KEY ("repo_id") REFERENCES "public"."repos"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "repo_facets" ADD CONSTRAINT "repo_facets_repo_id_repos_id_fk" FOREIGN KEY ("repo_id") REFERENCES "public"."repos"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "repo_heads" ADD CONSTRAINT "repo_heads_repo_id_repos_id_fk" FOREIGN KEY ("repo_id") REFERENCES "public"."repos"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
CREATE INDEX "repo_dependencies_target" ON "repo_dependencies" USING btree ("type","target_key","relation");
--> statement-breakpoint
CREATE INDEX "repo_heads_version" ON "repo_heads" USING btree ("index_version","repo_id");
--> statement-breakpoint
INSERT INTO "repo_heads" ("repo_id", "type", "bytes", "files", "task", "library", "licence", "index_status", "index_version", "card") SELECT "id", "type", "head_bytes", "head_files", "task", "library", "licence", 'pending', 0, "card" FROM "repos";
--> statement-breakpoint
INSERT INTO "repo_facets" ("repo_id", "field", "value") SELECT "id", 'task', "task" FROM "repos" WHERE "task" IS NOT NULL;
--> statement-breakpoint
INSERT INTO "repo_facets" ("repo_id", "field", "value") SELECT "id", 'library', "library" FROM "repos" WHERE "library" IS NOT NULL;
--> statement-breakpoint
INSERT INTO "repo_facets" ("repo_id", "field", "value") SELECT "id", 'licence', "licence" FROM "repos" WHERE "licence" IS NOT NULL;
--> statement-breakpoint
DROP INDEX "repo_tags_tag";
--> statement-breakpoint
DROP INDEX "repo_tags_lower";
--> statement-breakpoint
DROP INDEX "repos_updated";
--> statement-breakpoint
DROP INDEX "repos_trending";
--> statement-breakpoint
DROP INDEX "repos_downloads";
--> statement-breakpoint
DROP INDEX "repos_likes";
--> statement-breakpoint
DROP INDEX "repos_created";
--> statement-breakpoint
DROP INDEX "repos_size";
--> statement-breakpoint
DROP INDEX "repos_full";
--> statement-breakpoint
ALTER TABLE "repos" DROP COLUMN "head_bytes";
--> statement-breakpoint
ALTER TABLE "repos" DROP COLUMN "head_files";
--> statement-breakpoint
ALTER TABLE "repos" DROP COLUMN "card";
--> statement-breakpoint
ALTER TABLE "repos" DROP COLUMN "task";
--> statement-breakpoint
ALTER TABLE "repos" DROP COLUMN "library";
--> statement-breakpoint
ALTER TABLE "repos" DROP COLUMN "licence";
--> statement-breakpoint
ALTER TABLE "repos" ADD COLUMN "changed" bigint DEFAULT 0 NOT NULL;
--> statement-breakpoint
CREATE INDEX "repos_changed" ON "repos" USING btree ("changed");