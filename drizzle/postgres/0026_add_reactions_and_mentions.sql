CREATE TABLE "discussion_mentions" (
	"event_id" text COLLATE "C" NOT NULL,
	"user_id" text COLLATE "C" NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"read_at" timestamp (3) with time zone,
	CONSTRAINT "discussion_mentions_event_id_user_id_pk" PRIMARY KEY("event_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "discussion_reactions" (
	"event_id" text COLLATE "C" NOT NULL,
	"user_id" text COLLATE "C" NOT NULL,
	"reaction" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "discussion_reactions_event_id_user_id_reaction_pk" PRIMARY KEY("event_id","user_id","reaction")
);
--> statement-breakpoint
ALTER TABLE "discussion_events" ADD COLUMN "path" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "discussion_events" ADD COLUMN "side" text;--> statement-breakpoint
ALTER TABLE "discussion_events" ADD COLUMN "line" integer;--> statement-breakpoint
ALTER TABLE "discussion_events" ADD COLUMN "file_oid" "bytea";--> statement-breakpoint
ALTER TABLE "discussion_events" ADD COLUMN "excerpt" jsonb;--> statement-breakpoint
ALTER TABLE "discussion_mentions" ADD CONSTRAINT "discussion_mentions_event_id_discussion_events_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."discussion_events"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "discussion_reactions" ADD CONSTRAINT "discussion_reactions_event_id_discussion_events_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."discussion_events"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "discussion_mentions_user" ON "discussion_mentions" USING btree ("user_id","event_id");