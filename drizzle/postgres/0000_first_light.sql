CREATE TABLE "access_requests" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"repo_id" text COLLATE "C" NOT NULL,
	"user_id" text COLLATE "C" NOT NULL,
	"status" text NOT NULL,
	"message" text COLLATE "C",
	"fields" jsonb,
	"reason" text COLLATE "C",
	"requested_at" timestamp (3) with time zone NOT NULL,
	"decided_at" timestamp (3) with time zone,
	"decided_by" text COLLATE "C"
);
--> statement-breakpoint
CREATE TABLE "audit" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"request_id" text COLLATE "C",
	"actor_id" text COLLATE "C",
	"auth_kind" text NOT NULL,
	"token_id" text COLLATE "C",
	"ip" text COLLATE "C",
	"action" text COLLATE "C" NOT NULL,
	"target_type" text COLLATE "C" NOT NULL,
	"target_id" text COLLATE "C" NOT NULL,
	"target_name" text COLLATE "C" NOT NULL,
	"before" jsonb,
	"after" jsonb,
	"outcome" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "blob_deletions" (
	"key" text COLLATE "C" PRIMARY KEY NOT NULL,
	"at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "collaborators" (
	"repo_id" text COLLATE "C" NOT NULL,
	"user_id" text COLLATE "C" NOT NULL,
	"role" text NOT NULL,
	CONSTRAINT "collaborators_repo_id_user_id_pk" PRIMARY KEY("repo_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "device_logins" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"device_digest" text COLLATE "C" NOT NULL,
	"user_code" text COLLATE "C" NOT NULL,
	"client_id" text COLLATE "C" NOT NULL,
	"client_name" text COLLATE "C" NOT NULL,
	"ip" text COLLATE "C" NOT NULL,
	"status" text NOT NULL,
	"user_id" text COLLATE "C",
	"scopes" jsonb,
	"token_expires_at" timestamp (3) with time zone,
	"interval_s" integer NOT NULL,
	"polled_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "git_chains" (
	"repo_id" text COLLATE "C" NOT NULL,
	"id" integer NOT NULL,
	"owner_ref" text COLLATE "C" NOT NULL,
	"parent_chain" integer,
	"parent_pos" integer,
	"tip_pos" integer NOT NULL,
	CONSTRAINT "git_chains_repo_id_id_pk" PRIMARY KEY("repo_id","id")
);
--> statement-breakpoint
CREATE TABLE "git_changes" (
	"repo_id" text COLLATE "C" NOT NULL,
	"dir_id" text COLLATE "C" NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"chain" integer NOT NULL,
	"pos" integer NOT NULL,
	"commit_oid" "bytea" NOT NULL,
	"kind" text NOT NULL,
	CONSTRAINT "git_changes_repo_id_dir_id_name_chain_pos_pk" PRIMARY KEY("repo_id","dir_id","name","chain","pos")
);
--> statement-breakpoint
CREATE TABLE "git_commits" (
	"repo_id" text COLLATE "C" NOT NULL,
	"oid" "bytea" NOT NULL,
	"chain" integer NOT NULL,
	"pos" integer NOT NULL,
	"parents" "bytea" NOT NULL,
	"tree" "bytea" NOT NULL,
	"author_name" text COLLATE "C" NOT NULL,
	"author_email" text COLLATE "C" NOT NULL,
	"author_time" timestamp (3) with time zone NOT NULL,
	"author_tz" integer NOT NULL,
	"committer_name" text COLLATE "C" NOT NULL,
	"committer_email" text COLLATE "C" NOT NULL,
	"committer_time" timestamp (3) with time zone NOT NULL,
	"committer_tz" integer NOT NULL,
	"subject" text COLLATE "C" NOT NULL,
	"body" text COLLATE "C" NOT NULL,
	"user_id" text COLLATE "C",
	CONSTRAINT "git_commits_repo_id_oid_pk" PRIMARY KEY("repo_id","oid")
);
--> statement-breakpoint
CREATE TABLE "git_dirs" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"repo_id" text COLLATE "C" NOT NULL,
	"path" text COLLATE "C" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "git_packs" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"repo_id" text COLLATE "C" NOT NULL,
	"state" text NOT NULL,
	"source" text NOT NULL,
	"sha1" text COLLATE "C" NOT NULL,
	"objects" integer NOT NULL,
	"pack_bytes" bigint NOT NULL,
	"idx_bytes" bigint NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"retired_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "git_ref_log" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"repo_id" text COLLATE "C" NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"old_oid" "bytea",
	"new_oid" "bytea",
	"user_id" text COLLATE "C",
	"via" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "git_refs" (
	"repo_id" text COLLATE "C" NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"oid" "bytea" NOT NULL,
	"peeled_oid" "bytea",
	"updated_at" timestamp (3) with time zone NOT NULL,
	"updated_by" text COLLATE "C",
	CONSTRAINT "git_refs_repo_id_name_pk" PRIMARY KEY("repo_id","name")
);
--> statement-breakpoint
CREATE TABLE "job_schedules" (
	"kind" text COLLATE "C" PRIMARY KEY NOT NULL,
	"cron" text COLLATE "C" NOT NULL,
	"next_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "jobs" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"kind" text COLLATE "C" NOT NULL,
	"status" text NOT NULL,
	"title" text COLLATE "C" NOT NULL,
	"repo_id" text COLLATE "C",
	"created_by" text COLLATE "C",
	"input" jsonb NOT NULL,
	"result" jsonb,
	"problem" jsonb,
	"dedup_key" text COLLATE "C",
	"active_key" text COLLATE "C",
	"attempt" integer NOT NULL,
	"max_attempts" integer NOT NULL,
	"run_after" timestamp (3) with time zone NOT NULL,
	"lease_until" timestamp (3) with time zone,
	"worker" text COLLATE "C",
	"cancel_requested" boolean NOT NULL,
	"progress_done" bigint NOT NULL,
	"progress_total" bigint,
	"progress_unit" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"started_at" timestamp (3) with time zone,
	"finished_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "lfs_grants" (
	"repo_id" text COLLATE "C" NOT NULL,
	"sha256" text COLLATE "C" NOT NULL,
	"user_id" text COLLATE "C" NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "lfs_grants_repo_id_sha256_user_id_pk" PRIMARY KEY("repo_id","sha256","user_id")
);
--> statement-breakpoint
CREATE TABLE "lfs_links" (
	"repo_id" text COLLATE "C" NOT NULL,
	"sha256" text COLLATE "C" NOT NULL,
	"added_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "lfs_links_repo_id_sha256_pk" PRIMARY KEY("repo_id","sha256")
);
--> statement-breakpoint
CREATE TABLE "lfs_objects" (
	"sha256" text COLLATE "C" PRIMARY KEY NOT NULL,
	"key" text COLLATE "C" NOT NULL,
	"size" bigint NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"touched_at" timestamp (3) with time zone NOT NULL,
	"unreferenced_since" timestamp (3) with time zone,
	"corrupt_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "likes" (
	"repo_id" text COLLATE "C" NOT NULL,
	"user_id" text COLLATE "C" NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "likes_repo_id_user_id_pk" PRIMARY KEY("repo_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "members" (
	"org_id" text COLLATE "C" NOT NULL,
	"user_id" text COLLATE "C" NOT NULL,
	"role" text NOT NULL,
	"source" text COLLATE "C" NOT NULL,
	"joined_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "members_org_id_user_id_pk" PRIMARY KEY("org_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "namespaces" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"name_key" text COLLATE "C" NOT NULL,
	"kind" text NOT NULL,
	"display_name" text COLLATE "C" NOT NULL,
	"bio" text COLLATE "C",
	"website" text COLLATE "C",
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "repo_redirects" (
	"address" text COLLATE "C" PRIMARY KEY NOT NULL,
	"repo_id" text COLLATE "C" NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "repo_tags" (
	"repo_id" text COLLATE "C" NOT NULL,
	"tag" text COLLATE "C" NOT NULL,
	CONSTRAINT "repo_tags_repo_id_tag_pk" PRIMARY KEY("repo_id","tag")
);
--> statement-breakpoint
CREATE TABLE "repos" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"type" text NOT NULL,
	"namespace_id" text COLLATE "C" NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"name_key" text COLLATE "C" NOT NULL,
	"address_key" text COLLATE "C",
	"visibility" text NOT NULL,
	"gated" text,
	"description" text COLLATE "C",
	"default_branch" text COLLATE "C" NOT NULL,
	"discussions_enabled" boolean NOT NULL,
	"created_by" text COLLATE "C",
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"deleted_at" timestamp (3) with time zone,
	"purging_at" timestamp (3) with time zone,
	"ref_seq" integer NOT NULL,
	"prune_seq" integer NOT NULL,
	"indexed_seq" integer NOT NULL,
	"lfs_marked_seq" integer NOT NULL,
	"git_bytes" bigint NOT NULL,
	"head_bytes" bigint NOT NULL,
	"head_files" integer NOT NULL,
	"card" jsonb,
	"task" text COLLATE "C",
	"library" text COLLATE "C",
	"licence" text COLLATE "C",
	"likes" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"user_id" text COLLATE "C" NOT NULL,
	"digest" text COLLATE "C" NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"last_seen_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"ip" text COLLATE "C" NOT NULL,
	"user_agent" text COLLATE "C" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "throttles" (
	"key" text COLLATE "C" PRIMARY KEY NOT NULL,
	"failures" integer NOT NULL,
	"window_start" timestamp (3) with time zone NOT NULL,
	"locked_until" timestamp (3) with time zone,
	"locks" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "tokens" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"user_id" text COLLATE "C" NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"digest" text COLLATE "C" NOT NULL,
	"prefix" text COLLATE "C" NOT NULL,
	"scopes" jsonb NOT NULL,
	"fence" jsonb,
	"created_at" timestamp (3) with time zone NOT NULL,
	"last_used_at" timestamp (3) with time zone,
	"expires_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "upload_parts" (
	"upload_id" text COLLATE "C" NOT NULL,
	"n" integer NOT NULL,
	"key" text COLLATE "C" NOT NULL,
	"etag" text COLLATE "C" NOT NULL,
	"size" bigint NOT NULL,
	CONSTRAINT "upload_parts_upload_id_n_pk" PRIMARY KEY("upload_id","n")
);
--> statement-breakpoint
CREATE TABLE "uploads" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"repo_id" text COLLATE "C" NOT NULL,
	"user_id" text COLLATE "C" NOT NULL,
	"sha256" text COLLATE "C" NOT NULL,
	"size" bigint NOT NULL,
	"path" text COLLATE "C",
	"status" text NOT NULL,
	"store_upload_id" text COLLATE "C",
	"part_size" bigint NOT NULL,
	"attempt" integer NOT NULL,
	"lease_until" timestamp (3) with time zone,
	"job_id" text COLLATE "C",
	"problem" jsonb,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"password_hash" text COLLATE "C",
	"email" text COLLATE "C",
	"email_key" text COLLATE "C",
	"email_verified" boolean NOT NULL,
	"pending_email" text COLLATE "C",
	"is_admin" boolean NOT NULL,
	"disabled" boolean NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"last_seen_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "access_requests" ADD CONSTRAINT "access_requests_repo_id_repos_id_fk" FOREIGN KEY ("repo_id") REFERENCES "public"."repos"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "collaborators" ADD CONSTRAINT "collaborators_repo_id_repos_id_fk" FOREIGN KEY ("repo_id") REFERENCES "public"."repos"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "likes" ADD CONSTRAINT "likes_repo_id_repos_id_fk" FOREIGN KEY ("repo_id") REFERENCES "public"."repos"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "members" ADD CONSTRAINT "members_org_id_namespaces_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."namespaces"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "members" ADD CONSTRAINT "members_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "repo_redirects" ADD CONSTRAINT "repo_redirects_repo_id_repos_id_fk" FOREIGN KEY ("repo_id") REFERENCES "public"."repos"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "repo_tags" ADD CONSTRAINT "repo_tags_repo_id_repos_id_fk" FOREIGN KEY ("repo_id") REFERENCES "public"."repos"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "upload_parts" ADD CONSTRAINT "upload_parts_upload_id_uploads_id_fk" FOREIGN KEY ("upload_id") REFERENCES "public"."uploads"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_id_namespaces_id_fk" FOREIGN KEY ("id") REFERENCES "public"."namespaces"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "access_requests_repo_user" ON "access_requests" USING btree ("repo_id","user_id");--> statement-breakpoint
CREATE INDEX "audit_at" ON "audit" USING btree ("at");--> statement-breakpoint
CREATE INDEX "audit_target" ON "audit" USING btree ("target_id");--> statement-breakpoint
CREATE INDEX "blob_deletions_at" ON "blob_deletions" USING btree ("at");--> statement-breakpoint
CREATE INDEX "collaborators_user" ON "collaborators" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "device_logins_digest" ON "device_logins" USING btree ("device_digest");--> statement-breakpoint
CREATE UNIQUE INDEX "device_logins_user_code" ON "device_logins" USING btree ("user_code");--> statement-breakpoint
CREATE UNIQUE INDEX "git_commits_chain" ON "git_commits" USING btree ("repo_id","chain","pos");--> statement-breakpoint
CREATE UNIQUE INDEX "git_dirs_path" ON "git_dirs" USING btree ("repo_id","path");--> statement-breakpoint
CREATE INDEX "git_packs_repo_state" ON "git_packs" USING btree ("repo_id","state");--> statement-breakpoint
CREATE INDEX "git_packs_state" ON "git_packs" USING btree ("state");--> statement-breakpoint
CREATE INDEX "git_ref_log_repo" ON "git_ref_log" USING btree ("repo_id","at");--> statement-breakpoint
CREATE UNIQUE INDEX "jobs_active_key" ON "jobs" USING btree ("active_key");--> statement-breakpoint
CREATE INDEX "jobs_queue" ON "jobs" USING btree ("status","run_after");--> statement-breakpoint
CREATE INDEX "jobs_creator" ON "jobs" USING btree ("created_by");--> statement-breakpoint
CREATE INDEX "jobs_repo" ON "jobs" USING btree ("repo_id");--> statement-breakpoint
CREATE INDEX "lfs_grants_sha256" ON "lfs_grants" USING btree ("sha256","user_id");--> statement-breakpoint
CREATE INDEX "lfs_links_sha256" ON "lfs_links" USING btree ("sha256");--> statement-breakpoint
CREATE INDEX "lfs_objects_unreferenced" ON "lfs_objects" USING btree ("unreferenced_since");--> statement-breakpoint
CREATE INDEX "likes_user" ON "likes" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "members_user" ON "members" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "namespaces_name_key" ON "namespaces" USING btree ("name_key");--> statement-breakpoint
CREATE INDEX "repo_tags_tag" ON "repo_tags" USING btree ("tag");--> statement-breakpoint
CREATE UNIQUE INDEX "repos_address_key" ON "repos" USING btree ("address_key");--> statement-breakpoint
CREATE INDEX "repos_updated" ON "repos" USING btree ("type","updated_at","id");--> statement-breakpoint
CREATE INDEX "repos_name" ON "repos" USING btree ("namespace_id","name_key");--> statement-breakpoint
CREATE UNIQUE INDEX "sessions_digest" ON "sessions" USING btree ("digest");--> statement-breakpoint
CREATE INDEX "sessions_user" ON "sessions" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "tokens_digest" ON "tokens" USING btree ("digest");--> statement-breakpoint
CREATE UNIQUE INDEX "tokens_user_name" ON "tokens" USING btree ("user_id","name");--> statement-breakpoint
CREATE INDEX "uploads_repo_user" ON "uploads" USING btree ("repo_id","user_id","sha256");--> statement-breakpoint
CREATE INDEX "uploads_expiry" ON "uploads" USING btree ("status","expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "users_email_key" ON "users" USING btree ("email_key");