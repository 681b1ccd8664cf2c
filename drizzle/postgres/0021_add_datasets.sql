CREATE TABLE "dataset_answers" (
	"repo_id" text COLLATE "C" NOT NULL,
	"config" text COLLATE "C" NOT NULL,
	"split" text COLLATE "C" NOT NULL,
	"kind" text NOT NULL,
	"commit" text COLLATE "C" NOT NULL,
	"body" "bytea" NOT NULL,
	CONSTRAINT "dataset_answers_repo_id_config_split_kind_pk" PRIMARY KEY("repo_id","config","split","kind")
);
--> statement-breakpoint
CREATE TABLE "dataset_configs" (
	"repo_id" text COLLATE "C" NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"position" integer NOT NULL,
	"is_default" boolean NOT NULL,
	"builder" text COLLATE "C",
	"is_exact" boolean NOT NULL,
	"status" text NOT NULL,
	"features" jsonb NOT NULL,
	"warnings" jsonb NOT NULL,
	"problem" jsonb,
	"original_bytes" bigint NOT NULL,
	CONSTRAINT "dataset_configs_repo_id_name_pk" PRIMARY KEY("repo_id","name")
);
--> statement-breakpoint
CREATE TABLE "dataset_files" (
	"repo_id" text COLLATE "C" NOT NULL,
	"config" text COLLATE "C" NOT NULL,
	"split" text COLLATE "C" NOT NULL,
	"position" integer NOT NULL,
	"path" text COLLATE "C" NOT NULL,
	"sha256" text COLLATE "C" NOT NULL,
	"size" bigint NOT NULL,
	"rows" bigint NOT NULL,
	CONSTRAINT "dataset_files_repo_id_config_split_position_pk" PRIMARY KEY("repo_id","config","split","position")
);
--> statement-breakpoint
CREATE TABLE "dataset_splits" (
	"repo_id" text COLLATE "C" NOT NULL,
	"config" text COLLATE "C" NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"position" integer NOT NULL,
	"status" text NOT NULL,
	"is_partial" boolean NOT NULL,
	"rows" bigint,
	"estimated_rows" bigint,
	"parquet_bytes" bigint,
	"memory_bytes" bigint,
	"problem" jsonb,
	CONSTRAINT "dataset_splits_repo_id_config_name_pk" PRIMARY KEY("repo_id","config","name")
);
--> statement-breakpoint
CREATE TABLE "datasets" (
	"repo_id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"commit" text COLLATE "C" NOT NULL,
	"version" integer NOT NULL,
	"status" text NOT NULL,
	"inputs" text COLLATE "C" NOT NULL,
	"converted_commit" text COLLATE "C",
	"export_commit" text COLLATE "C",
	"job_id" text COLLATE "C",
	"problem" jsonb,
	"original_bytes" bigint NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "dataset_answers" ADD CONSTRAINT "dataset_answers_repo_id_repos_id_fk" FOREIGN KEY ("repo_id") REFERENCES "public"."repos"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "dataset_configs" ADD CONSTRAINT "dataset_configs_repo_id_repos_id_fk" FOREIGN KEY ("repo_id") REFERENCES "public"."repos"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "dataset_files" ADD CONSTRAINT "dataset_files_repo_id_repos_id_fk" FOREIGN KEY ("repo_id") REFERENCES "public"."repos"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "dataset_splits" ADD CONSTRAINT "dataset_splits_repo_id_repos_id_fk" FOREIGN KEY ("repo_id") REFERENCES "public"."repos"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "datasets" ADD CONSTRAINT "datasets_repo_id_repos_id_fk" FOREIGN KEY ("repo_id") REFERENCES "public"."repos"("id") ON DELETE cascade ON UPDATE no action;