CREATE TABLE "attachment_uses" (
	"attachment_id" text COLLATE "C" NOT NULL,
	"event_id" text COLLATE "C" NOT NULL,
	"repo_id" text COLLATE "C" NOT NULL,
	CONSTRAINT "attachment_uses_attachment_id_event_id_pk" PRIMARY KEY("attachment_id","event_id")
);
--> statement-breakpoint
CREATE TABLE "attachments" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"user_id" text COLLATE "C" NOT NULL,
	"type" text NOT NULL,
	"size" bigint NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"unused_since" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "discussions" ADD COLUMN "is_draft" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "attachment_uses" ADD CONSTRAINT "attachment_uses_attachment_id_attachments_id_fk" FOREIGN KEY ("attachment_id") REFERENCES "public"."attachments"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "attachment_uses" ADD CONSTRAINT "attachment_uses_event_id_discussion_events_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."discussion_events"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "attachment_uses_event" ON "attachment_uses" USING btree ("event_id");--> statement-breakpoint
CREATE INDEX "attachments_user" ON "attachments" USING btree ("user_id","unused_since");--> statement-breakpoint
CREATE INDEX "attachments_unused" ON "attachments" USING btree ("unused_since");