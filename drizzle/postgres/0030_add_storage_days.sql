CREATE TABLE "storage_days" (
	"day" text COLLATE "C" PRIMARY KEY NOT NULL,
	"counted_at" timestamp (3) with time zone NOT NULL,
	"lfs_bytes" bigint NOT NULL,
	"git_bytes" bigint NOT NULL,
	"chunk_bytes" bigint NOT NULL,
	"upload_bytes" bigint NOT NULL,
	"saved_bytes" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "storage_tops" (
	"kind" text NOT NULL,
	"rank" integer NOT NULL,
	"subject_id" text COLLATE "C" NOT NULL,
	"bytes" bigint NOT NULL,
	CONSTRAINT "storage_tops_kind_rank_pk" PRIMARY KEY("kind","rank")
);
