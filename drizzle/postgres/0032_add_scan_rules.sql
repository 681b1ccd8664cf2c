CREATE TABLE "scan_rules" (
	"module" text COLLATE "C" NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"safety" text NOT NULL,
	"note" text COLLATE "C",
	"set_by" text COLLATE "C",
	"set_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "scan_rules_module_name_pk" PRIMARY KEY("module","name")
);
