CREATE TABLE "instance_logos" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"type" text NOT NULL,
	"size" bigint NOT NULL,
	"sha256" text COLLATE "C" NOT NULL,
	"corrupt_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "instance_look" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"name" text COLLATE "C",
	"welcome" text COLLATE "C",
	"announcement" text COLLATE "C",
	"announcement_kind" text DEFAULT 'info' NOT NULL,
	"announcement_ends_at" timestamp (3) with time zone,
	"updated_at" timestamp (3) with time zone NOT NULL
);
