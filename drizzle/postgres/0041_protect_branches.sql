CREATE TABLE "branch_rules" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"repo_id" text COLLATE "C" NOT NULL,
	"pattern" text COLLATE "C" NOT NULL,
	"require_pull_request" boolean NOT NULL,
	"required_approvals" integer NOT NULL,
	"allow_force_push" boolean NOT NULL,
	"allow_deletion" boolean NOT NULL,
	"include_admins" boolean NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "branch_rules" ADD CONSTRAINT "branch_rules_repo_id_repos_id_fk" FOREIGN KEY ("repo_id") REFERENCES "public"."repos"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "branch_rules_pattern" ON "branch_rules" USING btree ("repo_id","pattern");