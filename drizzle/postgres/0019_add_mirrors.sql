CREATE TABLE "git_shallow" (
	"repo_id" text COLLATE "C" NOT NULL,
	"oid" "bytea" NOT NULL,
	CONSTRAINT "git_shallow_repo_id_oid_pk" PRIMARY KEY("repo_id","oid")
);
--> statement-breakpoint
CREATE TABLE "lfs_absent" (
	"repo_id" text COLLATE "C" NOT NULL,
	"sha256" text COLLATE "C" NOT NULL,
	"size" bigint NOT NULL,
	"since" timestamp (3) with time zone NOT NULL,
	"pulling_until" timestamp (3) with time zone,
	CONSTRAINT "lfs_absent_repo_id_sha256_pk" PRIMARY KEY("repo_id","sha256")
);
--> statement-breakpoint
CREATE TABLE "mirror_provenance" (
	"repo_id" text COLLATE "C" NOT NULL,
	"path" text COLLATE "C" NOT NULL,
	"sha256" text COLLATE "C" NOT NULL,
	"size" bigint NOT NULL,
	"upstream" text COLLATE "C" NOT NULL,
	"upstream_repo" text COLLATE "C" NOT NULL,
	"commit" text COLLATE "C" NOT NULL,
	"fetched_at" timestamp (3) with time zone NOT NULL,
	"job_id" text COLLATE "C",
	"user_id" text COLLATE "C",
	"verified" text NOT NULL,
	CONSTRAINT "mirror_provenance_repo_id_path_sha256_pk" PRIMARY KEY("repo_id","path","sha256")
);
--> statement-breakpoint
CREATE TABLE "mirror_syncs" (
	"repo_id" text COLLATE "C" NOT NULL,
	"commit" text COLLATE "C" NOT NULL,
	"synced_at" timestamp (3) with time zone NOT NULL,
	"job_id" text COLLATE "C",
	CONSTRAINT "mirror_syncs_repo_id_commit_pk" PRIMARY KEY("repo_id","commit")
);
--> statement-breakpoint
CREATE TABLE "mirrors" (
	"repo_id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"upstream" text COLLATE "C" NOT NULL,
	"upstream_repo" text COLLATE "C" NOT NULL,
	"upstream_key" text COLLATE "C" NOT NULL,
	"revision" text COLLATE "C" NOT NULL,
	"selection" jsonb NOT NULL,
	"tracking" text NOT NULL,
	"schedule" text COLLATE "C",
	"history" text NOT NULL,
	"fidelity" text NOT NULL,
	"state" text NOT NULL,
	"upstream_commit" text COLLATE "C",
	"local_commit" text COLLATE "C",
	"error" jsonb,
	"read_by" text COLLATE "C",
	"gone_since" timestamp (3) with time zone,
	"last_sync_at" timestamp (3) with time zone,
	"next_sync_at" timestamp (3) with time zone,
	"created_by" text COLLATE "C",
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "pull_files" (
	"job_id" text COLLATE "C" NOT NULL,
	"path" text COLLATE "C" NOT NULL,
	"sha256" text COLLATE "C" NOT NULL,
	"size" bigint NOT NULL,
	"done" bigint NOT NULL,
	"status" text NOT NULL,
	"error" text COLLATE "C",
	CONSTRAINT "pull_files_job_id_path_pk" PRIMARY KEY("job_id","path")
);
--> statement-breakpoint
CREATE TABLE "pulls" (
	"job_id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"repo_id" text COLLATE "C",
	"parent_id" text COLLATE "C",
	"note" text COLLATE "C",
	"warnings" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "transfer_parts" (
	"repo_id" text COLLATE "C" NOT NULL,
	"sha256" text COLLATE "C" NOT NULL,
	"n" integer NOT NULL,
	"key" text COLLATE "C" NOT NULL,
	"size" bigint NOT NULL,
	CONSTRAINT "transfer_parts_repo_id_sha256_n_pk" PRIMARY KEY("repo_id","sha256","n")
);
--> statement-breakpoint
CREATE TABLE "transfers" (
	"repo_id" text COLLATE "C" NOT NULL,
	"sha256" text COLLATE "C" NOT NULL,
	"id" text COLLATE "C" NOT NULL,
	"size" bigint NOT NULL,
	"attempt" integer NOT NULL,
	"holder" text COLLATE "C",
	"claimed_at" timestamp (3) with time zone,
	"lease_until" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "transfers_repo_id_sha256_pk" PRIMARY KEY("repo_id","sha256")
);
--> statement-breakpoint
CREATE TABLE "upstream_states" (
	"upstream" text COLLATE "C" PRIMARY KEY NOT NULL,
	"healthy" boolean,
	"checked_at" timestamp (3) with time zone,
	"findings" jsonb,
	"paused_until" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "upstream_tokens" (
	"user_id" text COLLATE "C" NOT NULL,
	"upstream" text COLLATE "C" NOT NULL,
	"token" text COLLATE "C" NOT NULL,
	"saved_at" timestamp (3) with time zone NOT NULL,
	"checked_at" timestamp (3) with time zone,
	"valid" boolean,
	CONSTRAINT "upstream_tokens_user_id_upstream_pk" PRIMARY KEY("user_id","upstream")
);
--> statement-breakpoint
CREATE TABLE "upstreams" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"base_url" text COLLATE "C" NOT NULL,
	"enabled" boolean NOT NULL,
	"viewer_url" text COLLATE "C",
	"namespace_prefix" text COLLATE "C" NOT NULL,
	"token" text COLLATE "C",
	"created_by" text COLLATE "C",
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "namespaces" ADD COLUMN "mirror_of" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "mirror_provenance" ADD CONSTRAINT "mirror_provenance_repo_id_repos_id_fk" FOREIGN KEY ("repo_id") REFERENCES "public"."repos"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mirror_syncs" ADD CONSTRAINT "mirror_syncs_repo_id_repos_id_fk" FOREIGN KEY ("repo_id") REFERENCES "public"."repos"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mirrors" ADD CONSTRAINT "mirrors_repo_id_repos_id_fk" FOREIGN KEY ("repo_id") REFERENCES "public"."repos"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transfer_parts" ADD CONSTRAINT "transfer_parts_repo_id_repos_id_fk" FOREIGN KEY ("repo_id") REFERENCES "public"."repos"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transfers" ADD CONSTRAINT "transfers_repo_id_repos_id_fk" FOREIGN KEY ("repo_id") REFERENCES "public"."repos"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "upstream_tokens" ADD CONSTRAINT "upstream_tokens_user_id_namespaces_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."namespaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "lfs_absent_sha256" ON "lfs_absent" USING btree ("sha256");--> statement-breakpoint
CREATE INDEX "mirrors_upstream" ON "mirrors" USING btree ("upstream","upstream_key");--> statement-breakpoint
CREATE INDEX "mirrors_next_sync" ON "mirrors" USING btree ("next_sync_at");--> statement-breakpoint
CREATE INDEX "pulls_parent" ON "pulls" USING btree ("parent_id");--> statement-breakpoint
CREATE INDEX "transfers_lease" ON "transfers" USING btree ("lease_until");