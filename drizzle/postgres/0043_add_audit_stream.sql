CREATE TABLE "audit_stream" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"revision" text COLLATE "C" NOT NULL,
	"url" text COLLATE "C" NOT NULL,
	"token" text COLLATE "C",
	"enabled" boolean NOT NULL,
	"sent_seq" bigint NOT NULL,
	"sent_at" timestamp (3) with time zone,
	"lost" bigint NOT NULL,
	"failures" integer NOT NULL,
	"failing_since" timestamp (3) with time zone,
	"next_attempt_at" timestamp (3) with time zone,
	"error" text COLLATE "C",
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
