CREATE TABLE "scan_issues" (
	"repo_id" text COLLATE "C" NOT NULL,
	"ref" text COLLATE "C" NOT NULL,
	"path" text COLLATE "C" NOT NULL,
	"content" text COLLATE "C" NOT NULL,
	"status" text NOT NULL,
	"found_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "scan_issues_repo_id_ref_path_pk" PRIMARY KEY("repo_id","ref","path")
);
--> statement-breakpoint
CREATE TABLE "scan_refs" (
	"repo_id" text COLLATE "C" NOT NULL,
	"ref" text COLLATE "C" NOT NULL,
	"commit" text COLLATE "C" NOT NULL,
	"version" integer NOT NULL,
	"prune_seq" integer NOT NULL,
	"unsafe" integer NOT NULL,
	"suspicious" integer NOT NULL,
	"failed" integer NOT NULL,
	"missing" integer NOT NULL,
	"scanned_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "scan_refs_repo_id_ref_pk" PRIMARY KEY("repo_id","ref")
);
--> statement-breakpoint
CREATE TABLE "scan_results" (
	"content" text COLLATE "C" NOT NULL,
	"reading" text COLLATE "C" NOT NULL,
	"version" integer NOT NULL,
	"status" text NOT NULL,
	"checked" boolean NOT NULL,
	"imports" jsonb NOT NULL,
	"problems" jsonb NOT NULL,
	"touched_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "scan_results_content_reading_pk" PRIMARY KEY("content","reading")
);
--> statement-breakpoint
CREATE TABLE "scan_uses" (
	"repo_id" text COLLATE "C" NOT NULL,
	"content" text COLLATE "C" NOT NULL,
	CONSTRAINT "scan_uses_repo_id_content_pk" PRIMARY KEY("repo_id","content")
);
--> statement-breakpoint
ALTER TABLE "scan_issues" ADD CONSTRAINT "scan_issues_repo_id_repos_id_fk" FOREIGN KEY ("repo_id") REFERENCES "public"."repos"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "scan_refs" ADD CONSTRAINT "scan_refs_repo_id_repos_id_fk" FOREIGN KEY ("repo_id") REFERENCES "public"."repos"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "scan_uses" ADD CONSTRAINT "scan_uses_repo_id_repos_id_fk" FOREIGN KEY ("repo_id") REFERENCES "public"."repos"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "scan_issues_status" ON "scan_issues" USING btree ("status","found_at");--> statement-breakpoint
CREATE INDEX "scan_results_touched" ON "scan_results" USING btree ("touched_at");--> statement-breakpoint
CREATE INDEX "scan_uses_content" ON "scan_uses" USING btree ("content");