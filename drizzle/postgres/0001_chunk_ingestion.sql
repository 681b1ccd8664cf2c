CREATE TABLE "chunk_files" (
	"file_hash" text COLLATE "C" NOT NULL,
	"sha256" text COLLATE "C" NOT NULL,
	"size" bigint NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "chunk_files_file_hash_sha256_pk" PRIMARY KEY("file_hash","sha256")
);
--> statement-breakpoint
CREATE TABLE "chunk_pins" (
	"job_id" text COLLATE "C" NOT NULL,
	"xorb_hash" text COLLATE "C" NOT NULL,
	CONSTRAINT "chunk_pins_job_id_xorb_hash_pk" PRIMARY KEY("job_id","xorb_hash")
);
--> statement-breakpoint
CREATE TABLE "chunk_rebuild_claims" (
	"rebuild_id" text COLLATE "C" NOT NULL,
	"repo_id" text COLLATE "C" NOT NULL,
	"user_id" text COLLATE "C" NOT NULL,
	CONSTRAINT "chunk_rebuild_claims_rebuild_id_repo_id_user_id_pk" PRIMARY KEY("rebuild_id","repo_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "chunk_rebuilds" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"job_id" text COLLATE "C" NOT NULL,
	"shard_key" text COLLATE "C" NOT NULL,
	"terms_offset" integer NOT NULL,
	"terms" integer NOT NULL,
	"file_hash" text COLLATE "C" NOT NULL,
	"claimed_sha256" text COLLATE "C",
	"size" bigint NOT NULL,
	"active_key" text COLLATE "C",
	"problem" jsonb,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "chunk_xorb_uploads" (
	"xorb_hash" text COLLATE "C" NOT NULL,
	"user_id" text COLLATE "C" NOT NULL,
	CONSTRAINT "chunk_xorb_uploads_xorb_hash_user_id_pk" PRIMARY KEY("xorb_hash","user_id")
);
--> statement-breakpoint
CREATE TABLE "chunk_xorbs" (
	"xorb_hash" text COLLATE "C" PRIMARY KEY NOT NULL,
	"key" text COLLATE "C" NOT NULL,
	"body_size" bigint NOT NULL,
	"unpacked" bigint NOT NULL,
	"n" integer NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"last_used_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "chunk_files_sha256" ON "chunk_files" USING btree ("sha256");--> statement-breakpoint
CREATE INDEX "chunk_pins_xorb" ON "chunk_pins" USING btree ("xorb_hash");--> statement-breakpoint
CREATE UNIQUE INDEX "chunk_rebuilds_active_key" ON "chunk_rebuilds" USING btree ("active_key");--> statement-breakpoint
CREATE INDEX "chunk_rebuilds_job" ON "chunk_rebuilds" USING btree ("job_id");--> statement-breakpoint
CREATE INDEX "chunk_rebuilds_sha256" ON "chunk_rebuilds" USING btree ("claimed_sha256");--> statement-breakpoint
CREATE INDEX "chunk_xorbs_used" ON "chunk_xorbs" USING btree ("last_used_at");