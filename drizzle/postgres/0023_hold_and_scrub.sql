CREATE TABLE "blob_faults" (
	"key" text COLLATE "C" PRIMARY KEY NOT NULL,
	"kind" text COLLATE "C" NOT NULL,
	"subject" text COLLATE "C" NOT NULL,
	"repo_id" text COLLATE "C",
	"message" text COLLATE "C" NOT NULL,
	"found_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "blob_scrubs" (
	"kind" text COLLATE "C" PRIMARY KEY NOT NULL,
	"after" text COLLATE "C" NOT NULL,
	"round_started_at" timestamp (3) with time zone NOT NULL,
	"read_bytes" bigint NOT NULL,
	"finished_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "gc_holds" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"reason" text COLLATE "C" NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "attachments" ADD COLUMN "sha256" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "attachments" ADD COLUMN "corrupt_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "git_packs" ADD COLUMN "corrupt_at" timestamp (3) with time zone;