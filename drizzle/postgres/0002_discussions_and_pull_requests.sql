CREATE TABLE "discussion_counters" (
	"repo_id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"last" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "discussion_events" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"discussion_id" text COLLATE "C" NOT NULL,
	"type" text NOT NULL,
	"author_id" text COLLATE "C",
	"created_at" timestamp (3) with time zone NOT NULL,
	"body" text COLLATE "C",
	"edits" integer NOT NULL,
	"edited_at" timestamp (3) with time zone,
	"edited_by" text COLLATE "C",
	"hidden_at" timestamp (3) with time zone,
	"before" text COLLATE "C",
	"after" text COLLATE "C",
	"commit_oid" "bytea"
);
--> statement-breakpoint
CREATE TABLE "discussions" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"repo_id" text COLLATE "C" NOT NULL,
	"num" integer NOT NULL,
	"kind" text NOT NULL,
	"status" text NOT NULL,
	"title" text COLLATE "C" NOT NULL,
	"author_id" text COLLATE "C",
	"comment_count" integer NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"base_ref" text COLLATE "C",
	"base_oid" "bytea",
	"merged_at" timestamp (3) with time zone,
	"merge_oid" "bytea",
	"merged_base_oid" "bytea",
	"merged_head_oid" "bytea"
);
--> statement-breakpoint
ALTER TABLE "discussion_counters" ADD CONSTRAINT "discussion_counters_repo_id_repos_id_fk" FOREIGN KEY ("repo_id") REFERENCES "public"."repos"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "discussion_events" ADD CONSTRAINT "discussion_events_discussion_id_discussions_id_fk" FOREIGN KEY ("discussion_id") REFERENCES "public"."discussions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "discussions" ADD CONSTRAINT "discussions_repo_id_repos_id_fk" FOREIGN KEY ("repo_id") REFERENCES "public"."repos"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "discussion_events_thread" ON "discussion_events" USING btree ("discussion_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "discussions_num" ON "discussions" USING btree ("repo_id","num");